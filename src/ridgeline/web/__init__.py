"""The page that shows the boards, and the calls behind it. No formula lives here."""
