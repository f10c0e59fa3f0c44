-- Whether a rating counts: that of a banned member does not, until the ban is over. Kept with the summaries, so that both
-- change in one transaction and lists, sums and sorts agree at every moment.
alter table ratings add column is_counted boolean not null default true;
alter table ratings add column edited_at timestamptz;
-- Has words, not only stars. Lists show these first.
alter table ratings add column is_written boolean not null
  generated always as (coalesce(review ~ '[^[:space:]]', false)) stored;
alter table ratings add constraint reply_has_its_time check ((reply is null) = (replied_at is null));

drop index ratings_newest;
create index ratings_newest on ratings (script_id, is_written desc, created_at desc, id desc) where is_counted;
create index ratings_highest on ratings (script_id, is_written desc, rating desc, created_at desc, id desc) where is_counted;
create index ratings_lowest on ratings (script_id, is_written desc, rating, created_at desc, id desc) where is_counted;
create index ratings_not_counted on ratings (member_id) where not is_counted;
drop index ratings_by_member;
create index ratings_by_member on ratings (member_id, is_counted) where member_id is not null;

-- 'Best': IMDb's weighted rating (v R + m C) / (v + m) with m = 10 and C = 3, that is as if two members had given each
-- number of stars before. Whole numbers until the one division, so that every implementation gets the same bits.
alter table script_stats add column score double precision not null generated always as (
  (30 + one_star + 2 * two_star + 3 * three_star + 4 * four_star + 5 * five_star)::double precision
    / (10 + one_star + two_star + three_star + four_star + five_star)
) stored;

-- Pages show reviews and replies, which change without their stars.
create trigger ratings_updated after update on ratings referencing new table as changed for each statement execute function note_script_parts();
