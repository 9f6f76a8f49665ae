// Everything is said by the attributes of the page.
