// The page's attributes say everything.
