-- Code that was withdrawn. Its addresses answer 410 from then on.
create table withdrawals (
  id integer generated always as identity primary key,
  -- Without a foreign key: entries outlive their scripts. Ids are never used again.
  script_id integer not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- As they were when the code was withdrawn.
  slug text not null,
  version text not null,
  withdrawn_at timestamptz not null default now(),
  withdrawn_as text not null check (withdrawn_as in ('author', 'moderators')),
  reason text not null check (char_length(reason) between 1 and 500),
  is_malicious boolean not null default false,
  -- The decision of moderators that the author can appeal.
  case_id integer references report_cases on delete set null,
  -- When moderators took it back.
  reinstated_at timestamptz
);
create unique index withdrawals_standing on withdrawals (script_id, sha256) where reinstated_at is null;
create index withdrawals_by_code on withdrawals (sha256, id desc);
create index withdrawals_by_case on withdrawals (case_id) where case_id is not null;
comment on table withdrawals is 'Withdrawn code, one row per script and code; rows are never deleted and name nobody.';
create trigger withdrawals_stay before delete or truncate on withdrawals
  for each statement execute function reject_change();

alter table script_versions
  -- When it was published, if it is withdrawn, or if it is to take the place of withdrawn code and waits for that; null otherwise.
  add column published_at timestamptz,
  add constraint withdrawn_was_published check (state <> 'withdrawn' or published_at is not null);

alter table scripts
  -- The script that its author recommends instead.
  add column successor_id integer references scripts on delete set null check (successor_id <> id);
create index scripts_by_successor on scripts (successor_id) where successor_id is not null;
