-- Votes on whether a version of a script works: one per person, version and UTC month. A person's newest vote for a version
-- counts unless the person is banned.
create table works_votes (
  id integer generated always as identity primary key,
  script_id integer not null references scripts (id) on delete cascade,
  version_number integer not null check (version_number > 0),
  month date not null default date_trunc('month', now() at time zone 'UTC')::date,
  member_id integer references members (id) on delete set null,
  person_id integer references persons (id) on delete set null,
  works boolean not null,
  -- For the script's author. Deleted with the account.
  note text check (char_length(note) between 1 and 300),
  -- From the account's age and standing at the time of the vote.
  weight double precision not null check (weight > 0 and weight <= 1),
  is_established boolean not null,
  is_latest boolean not null default true,
  is_counted boolean not null default true,
  voted_at timestamptz not null default now()
);
create unique index works_votes_once_a_month on works_votes (person_id, script_id, version_number, month)
  where person_id is not null;
create unique index works_votes_latest on works_votes (person_id, script_id, version_number)
  where is_latest and person_id is not null;
-- Serves recounts and the counts of a week without reading the rows.
create index works_votes_counted on works_votes (script_id, version_number, voted_at)
  include (works, weight, is_established) where is_latest and is_counted;
create index works_votes_by_member on works_votes (member_id, is_counted) where member_id is not null;
create index works_votes_not_counted on works_votes (person_id) where not is_counted;
create index works_votes_age on works_votes (voted_at);
create trigger works_votes_person before insert on works_votes for each row
  when (new.person_id is null) execute function set_person();

-- The decayed sums of the current version's votes at `works_counted_at`, and the time until which they say that it works.
alter table script_stats
  add column works_yes double precision not null default 0 check (works_yes >= 0),
  add column works_total double precision not null default 0 check (works_total >= works_yes),
  add column works_counted_at timestamptz,
  add column works_until timestamptz;
create index script_stats_works_until on script_stats (works_until) where works_until is not null;

-- A new version starts without votes, whoever writes it.
create function reset_works() returns trigger language plpgsql as $$
begin
  update script_stats set works_yes = 0, works_total = 0, works_counted_at = null, works_until = null
    where script_id = new.id and works_counted_at is not null;
  return null;
end $$;
create trigger scripts_reset_works after update of current_version on scripts for each row
  when (old.current_version is distinct from new.current_version) execute function reset_works();
