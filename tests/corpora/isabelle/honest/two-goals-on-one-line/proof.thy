by (rule add.commute)
