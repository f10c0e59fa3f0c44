-- What follows from a card: notifications and, for a first publication, a case for moderators. True from the publication or
-- change until then; false for scripts that were published before cards existed.
alter table script_behaviors add column awaits_review boolean not null default false;
create index script_behaviors_awaiting on script_behaviors (sha256) where awaits_review;

-- Cards that wait for the analysis, for the background scan.
create index behavior_cards_pending on behavior_cards (created_at) where status = 'pending';

-- What a new version starts and stops to do, if its watchers should know. Null for other broadcasts.
alter table broadcasts
  add column starts text[],
  add column stops text[],
  add constraint broadcast_behavior_of_version check (audience = 'watchers' or (starts is null and stops is null));

-- What the site found in the code, for a case that it opened by itself: [{ id, line, excerpt, detail }].
alter table report_cases add column findings jsonb check (jsonb_typeof(findings) = 'array');
