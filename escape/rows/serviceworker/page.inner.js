// A file of the sandbox that is a script and does nothing.
