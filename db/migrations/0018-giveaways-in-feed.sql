-- The giveaways page is one for everybody. When a giveaway is made, changed, drawn or deleted, every process throws its
-- pages away (script 0 of the feed is none). Entries come too often for that: their number is seconds old on the page.
create function note_giveaways() returns trigger language plpgsql as $$
begin
  perform note_scripts(array[0]);
  return null;
end $$;
create trigger giveaways_made after insert or delete on giveaways
  for each statement execute function note_giveaways();
create trigger giveaways_changed after update of title, description, prize_type, prize_description, entry_requirement,
    end_date, max_entries, winner_count, is_active, drawn_at on giveaways
  for each statement execute function note_giveaways();
