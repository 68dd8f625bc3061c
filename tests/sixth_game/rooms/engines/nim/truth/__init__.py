"""All that knows what is hidden: pictures and the face in Discord may not look in here."""
