-- Scripts that a member saved. The list is private; script_stats.favorite_count is public.
create table favorites (
  member_id integer not null references members (id) on delete cascade,
  script_id integer not null references scripts (id) on delete cascade,
  added_at timestamptz not null default clock_timestamp(),
  primary key (member_id, script_id)
);
create index favorites_by_script on favorites (script_id);

alter table script_stats add column favorite_count integer not null default 0 check (favorite_count >= 0);

-- Triggers, so that a deleted account or script is counted as well. The counters are locked in the order of their ids, as
-- by all writers of several counters, to avoid deadlocks.
create function count_new_favorites() returns trigger language plpgsql as $$
begin
  perform from script_stats where script_id in (select script_id from changed) order by script_id for update;
  update script_stats st set favorite_count = favorite_count + c.number
    from (select script_id, count(*) as number from changed group by script_id) c where st.script_id = c.script_id;
  return null;
end $$;
create function count_removed_favorites() returns trigger language plpgsql as $$
begin
  perform from script_stats where script_id in (select script_id from changed) order by script_id for update;
  update script_stats st set favorite_count = favorite_count - c.number
    from (select script_id, count(*) as number from changed group by script_id) c where st.script_id = c.script_id;
  return null;
end $$;
create trigger favorites_inserted after insert on favorites referencing new table as changed
  for each statement execute function count_new_favorites();
create trigger favorites_deleted after delete on favorites referencing old table as changed
  for each statement execute function count_removed_favorites();
