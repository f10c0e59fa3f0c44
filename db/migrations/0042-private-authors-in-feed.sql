-- A private profile hides its Discord id on cards, too.
create or replace function note_author() returns trigger language plpgsql as $$
begin
  perform note_scripts(array_agg(s.id)) from changed c join former f on f.id = c.id join scripts s on s.author_id = c.id
    where (c.username, c.slug, c.display_name, c.avatar, c.discriminator, c.profile_image, c.banned_until, c.is_private)
      is distinct from (f.username, f.slug, f.display_name, f.avatar, f.discriminator, f.profile_image, f.banned_until,
        f.is_private)
    having count(*) > 0;
  return null;
end $$;
