"""What documents of ``--json`` hold, a file a group of commands; ``bench/json_page.py`` makes the page of them."""
