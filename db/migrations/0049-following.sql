-- Members follow authors, and are notified of their new scripts. The list is private, the number of followers is public.
create table follows (
  follower_id integer not null references members (id) on delete cascade,
  author_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (follower_id, author_id),
  check (follower_id <> author_id)
);
create index follows_by_author on follows (author_id, follower_id);

-- Apart from members: a new follower must not wait for the author, whose row is locked while they write.
create table follower_counts (
  member_id integer primary key references members (id) on delete cascade,
  follower_count integer not null check (follower_count >= 0)
);

-- Members watch scripts, and are notified of their new versions.
create table watches (
  member_id integer not null references members (id) on delete cascade,
  script_id integer not null references scripts (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (member_id, script_id)
);
create index watches_by_script on watches (script_id, member_id);

-- The blocker gets no points, replies and notifications from the blocked member, who does not learn of it.
create table blocks (
  blocker_id integer not null references members (id) on delete cascade,
  blocked_id integer not null references members (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_by_blocked on blocks (blocked_id);

-- Triggers, so that deleted accounts are counted too. Rows are locked in the order of their ids to avoid deadlocks. A profile
-- shows the count, so each change is in the change feed as script 0.
create function count_new_followers() returns trigger language plpgsql as $$
begin
  insert into follower_counts as c (member_id, follower_count)
    select author_id, count(*) from changed group by author_id order by author_id
    on conflict (member_id) do update set follower_count = c.follower_count + excluded.follower_count;
  perform note_scripts(array[0]) from changed limit 1;
  return null;
end $$;
create function count_removed_followers() returns trigger language plpgsql as $$
begin
  perform from follower_counts where member_id in (select author_id from changed) order by member_id for update;
  update follower_counts c set follower_count = c.follower_count - r.number
    from (select author_id, count(*) as number from changed group by author_id) r where c.member_id = r.author_id;
  perform note_scripts(array[0]) from changed limit 1;
  return null;
end $$;
create trigger follows_inserted after insert on follows referencing new table as changed
  for each statement execute function count_new_followers();
create trigger follows_deleted after delete on follows referencing old table as changed
  for each statement execute function count_removed_followers();

-- A broadcast goes to all members, to the followers of an author or to the watchers of a script: one row however many they
-- are. About a script it has no text, which is written from the script when it is read.
alter table broadcasts
  add column audience text not null default 'all' check (audience in ('all', 'followers', 'watchers')),
  add column author_id integer references members (id) on delete cascade,
  add column script_id integer references scripts (id) on delete cascade,
  add column version text,
  alter column title drop not null,
  alter column message drop not null,
  add constraint broadcast_has_text_or_script check (case when audience = 'all'
    then title is not null and message is not null and script_id is null and author_id is null
    else title is null and message is null and script_id is not null and author_id is not null end);
create index broadcasts_to_all on broadcasts (id) where audience = 'all';
create index broadcasts_by_author on broadcasts (author_id, id) where author_id is not null;
create index broadcasts_by_script on broadcasts (script_id, id) where script_id is not null;
create unique index broadcasts_published_once on broadcasts (script_id) where audience = 'followers';
