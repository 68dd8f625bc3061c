"""The database: schema, migrations, and the one Store that speaks SQL. It knows no game."""
