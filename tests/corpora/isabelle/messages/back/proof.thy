back
