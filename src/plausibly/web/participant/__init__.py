"""What participants see and send: pages and API."""
