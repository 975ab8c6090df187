"""Code that runs in the page of a static site, where a worker computes in place of a server."""
