// Babel compiles the page's own script.
