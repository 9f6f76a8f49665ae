// The page's own script is the one that Babel compiles.
