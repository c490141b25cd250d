by eval
