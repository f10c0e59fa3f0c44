-- What the portal finds members and scripts by. Any part of a name or e-mail is looked for, so words are no help. Trigrams
-- are of letters and digits alone: with a letter in the place of every other sign a part with signs in it has some, too.
create extension if not exists pg_trgm;
create function search_key(given text) returns text language sql immutable parallel safe as $$
  select translate(lower(given), ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq')
$$;
-- Kept with the row: to make it anew for each one that is looked at took ten times as long.
alter table members add column search_key text not null
  generated always as (search_key(username) || E'\n' || coalesce(search_key(email), '')) stored;
create index members_search on members using gin (search_key gin_trgm_ops);
create index members_newest on members (created_at desc, id desc);
create index members_last_seen on members (last_seen_at desc nulls last, id desc);
create index members_reputation on members (reputation desc, id desc);
drop index members_username;
create index members_username on members (lower(username), id);
create index members_staff on members (created_at desc, id desc) where is_admin or is_moderator;
create index members_muted on members (muted_until) where muted_until is not null;
create index scripts_newest on scripts (created_at desc, id desc);
create index scripts_featured on scripts (created_at desc, id desc) where is_featured;
create index scripts_verified on scripts (created_at desc, id desc) where is_verified;
create index scripts_private on scripts (created_at desc, id desc) where not is_public;
create index audit_log_age on audit_log (created_at, id);

-- The severities that the product names.
alter table sanctions drop constraint sanctions_severity_check;
update sanctions set severity = 'moderate' where severity = 'major';
alter table sanctions add constraint sanctions_severity_check check (severity in ('minor', 'moderate', 'severe'));

-- What moderators took out of sight. A hidden script is not public, whatever its author ticks, and becomes again what it
-- was; so nothing else has to know of it. A hidden review does not count.
alter table scripts add column hidden_at timestamptz;
alter table scripts add column was_public boolean;
alter table scripts add constraint hidden_is_not_public
  check ((hidden_at is null) = (was_public is null) and (hidden_at is null or not is_public));
alter table ratings add column hidden_at timestamptz;
alter table ratings add constraint hidden_does_not_count check (hidden_at is null or not is_counted);

create function keep_hidden() returns trigger language plpgsql as $$
begin
  new.is_public := false;
  return new;
end $$;
create trigger scripts_keep_hidden before update on scripts for each row
  when (new.hidden_at is not null and new.is_public) execute function keep_hidden();

-- Figures of each UTC day, kept by triggers, so that totals and charts cost the same at any size. Several rows a day, so
-- that writers do not queue for one. Who comes, goes and uploads counts on the day of the row's `created_at`, or today
-- when it goes; of downloads only more counts, and what a script begins with counts on its first day.
create table daily_figures (
  day date not null,
  slot smallint not null,
  sign_ups integer not null default 0,
  departures integer not null default 0,
  uploads integer not null default 0,
  removals integer not null default 0,
  downloads bigint not null default 0,
  ratings integer not null default 0,
  primary key (day, slot)
) with (fillfactor = 50);

create function utc_day(at timestamptz) returns date language sql immutable as $$ select (at at time zone 'UTC')::date $$;
create function figures_slot() returns smallint language sql as $$ select (pg_backend_pid() % 16)::smallint $$;

create function count_sign_ups() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, sign_ups)
    select utc_day(created_at), figures_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set sign_ups = f.sign_ups + excluded.sign_ups;
  return null;
end $$;
create function count_departures() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, departures)
    select utc_day(now()), figures_slot(), count(*) from changed having count(*) > 0
    on conflict (day, slot) do update set departures = f.departures + excluded.departures;
  return null;
end $$;
create function count_uploads() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, uploads)
    select utc_day(created_at), figures_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set uploads = f.uploads + excluded.uploads;
  return null;
end $$;
create function count_removals() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, removals)
    select utc_day(now()), figures_slot(), count(*) from changed having count(*) > 0
    on conflict (day, slot) do update set removals = f.removals + excluded.removals;
  return null;
end $$;
create function count_ratings() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, ratings)
    select utc_day(created_at), figures_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set ratings = f.ratings + excluded.ratings;
  return null;
end $$;
create function count_first_downloads() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, downloads)
    select utc_day(s.created_at), figures_slot(), sum(c.download_count)
      from changed c join scripts s on s.id = c.script_id where c.download_count > 0 group by 1 order by 1
    on conflict (day, slot) do update set downloads = f.downloads + excluded.downloads;
  return null;
end $$;
create function count_downloads() returns trigger language plpgsql as $$
begin
  insert into daily_figures as f (day, slot, downloads)
    select utc_day(now()), figures_slot(), sum(c.download_count - o.download_count)
      from changed c join former o using (script_id) where c.download_count > o.download_count having count(*) > 0
    on conflict (day, slot) do update set downloads = f.downloads + excluded.downloads;
  return null;
end $$;

create trigger members_counted after insert on members referencing new table as changed for each statement execute function count_sign_ups();
create trigger members_gone_counted after delete on members referencing old table as changed for each statement execute function count_departures();
create trigger scripts_counted after insert on scripts referencing new table as changed for each statement execute function count_uploads();
create trigger scripts_gone_counted after delete on scripts referencing old table as changed for each statement execute function count_removals();
create trigger ratings_counted after insert on ratings referencing new table as changed for each statement execute function count_ratings();
create trigger first_downloads_counted after insert on script_stats referencing new table as changed for each statement execute function count_first_downloads();
create trigger downloads_counted after update on script_stats referencing old table as former new table as changed for each statement execute function count_downloads();

-- The figures anew from what is there, for a database that was filled past its triggers. Who has left is not in them.
create function recount_daily_figures() returns void language plpgsql as $$
begin
  delete from daily_figures;
  insert into daily_figures (day, slot, sign_ups, uploads, downloads, ratings)
    select day, 0, sum(a), sum(b), sum(c), sum(d) from (
      select utc_day(created_at) as day, 1 as a, 0 as b, 0 as c, 0 as d from members
      union all select utc_day(s.created_at), 0, 1, st.download_count, 0
        from scripts s join script_stats st on st.script_id = s.id
      union all select utc_day(created_at), 0, 0, 0, 1 from ratings
    ) x group by day;
end $$;
select recount_daily_figures();

-- What members said of one thing, and what became of it. Title and excerpt are as they were when it was first reported.
-- A case goes with its author's account; when only the thing is gone it stays.
create table report_cases (
  id integer generated always as identity primary key,
  subject_type text not null check (subject_type in ('script', 'review', 'profile')),
  subject_id integer not null,
  author_id integer references members (id) on delete cascade,
  title text not null check (char_length(title) between 1 and 200),
  excerpt text not null default '' check (char_length(excerpt) <= 2000),
  status text not null default 'open' check (status in ('open', 'claimed', 'resolved', 'dismissed')),
  claimed_by integer references members (id) on delete set null,
  decided_by integer references members (id) on delete set null,
  decision text check (char_length(decision) between 1 and 1000),
  decided_at timestamptz,
  appeal text check (char_length(appeal) between 1 and 1000),
  appealed_at timestamptz,
  appeal_status text check (appeal_status in ('open', 'upheld', 'granted')),
  appeal_decision text check (char_length(appeal_decision) between 1 and 1000),
  appeal_decided_by integer references members (id) on delete set null,
  appeal_decided_at timestamptz,
  created_at timestamptz not null default now(),
  constraint decided_has_its_time check ((decided_at is not null) = (status in ('resolved', 'dismissed'))),
  constraint appeal_has_its_state check (num_nonnulls(appeal, appealed_at, appeal_status) in (0, 3)),
  constraint appeal_follows_a_decision check (appeal is null or status = 'resolved')
);
-- Of one thing there is one case at a time that nobody has decided.
create unique index report_cases_undecided on report_cases (subject_type, subject_id) where status in ('open', 'claimed');
create index report_cases_waiting on report_cases (created_at, id)
  where status in ('open', 'claimed') or appeal_status = 'open';
create index report_cases_newest on report_cases (created_at desc, id desc);
create index report_cases_by_author on report_cases (author_id, decided_at desc);
create index report_cases_claimed_by on report_cases (claimed_by) where claimed_by is not null;
create index report_cases_decided_by on report_cases (decided_by) where decided_by is not null;
create index report_cases_appeal_decided_by on report_cases (appeal_decided_by) where appeal_decided_by is not null;

create table reports (
  id integer generated always as identity primary key,
  case_id integer not null references report_cases (id) on delete cascade,
  reporter_id integer references members (id) on delete set null,
  subject_type text not null,
  subject_id integer not null,
  reason text not null
    check (reason in ('spam', 'stolen', 'malicious', 'illegal', 'nsfw', 'harassment', 'misleading', 'other')),
  text text check (char_length(text) between 1 and 1000),
  created_at timestamptz not null default now(),
  -- Once per member and thing.
  unique (reporter_id, subject_type, subject_id)
);
create index reports_by_case on reports (case_id, created_at, id);
create index reports_by_reporter on reports (reporter_id, created_at desc) where reporter_id is not null;
