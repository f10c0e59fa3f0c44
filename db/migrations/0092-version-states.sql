-- What visitors may get: only code that was checked and, if it starts something serious, released by a person.
alter table script_versions
  -- checking: not analyzed yet. held: waits for its author or a moderator. private: the script was private, so nothing was
  -- checked. published: visitors may get it; scripts.current_version says which one is current.
  add column state text not null default 'published'
    check (state in ('checking', 'held', 'private', 'published', 'discarded', 'withdrawn')),
  -- When it got this state.
  add column state_since timestamptz not null default now(),
  -- Why it was discarded, as a sentence for its author.
  add column discard_reason text check (char_length(discard_reason) between 1 and 500),
  -- What it starts, as [{id, host, line, detail}]; null unless it is or was held.
  add column hold_reasons jsonb check (jsonb_typeof(hold_reasons) = 'array'),
  -- When its author confirmed it in the browser, and when it becomes current.
  add column confirmed_at timestamptz,
  add column current_at timestamptz,
  -- Who published it, as evidence: see Provenance in the contract.
  add column provenance jsonb not null default '{"by": "unknown", "repository": null, "commit": null, "workflow": null, "run_url": null, "matches_commit": null}',
  -- The API token that published it, unless it was deleted since.
  add column token_id uuid,
  add constraint held_has_reasons check (state <> 'held' or hold_reasons is not null),
  add constraint confirmed_has_its_time check ((confirmed_at is null) = (current_at is null));
update script_versions set state_since = created_at;
-- One version of a script waits at a time.
create unique index script_versions_waiting on script_versions (script_id) where state in ('checking', 'held');
create index script_versions_confirmed on script_versions (current_at) where state = 'held' and confirmed_at is not null;
create index script_versions_checking on script_versions (state_since) where state = 'checking';

alter table scripts
  -- The script has no version yet that visitors may get. Its current version waits.
  add column is_unchecked boolean not null default false,
  drop constraint hidden_is_not_public,
  add constraint hidden_is_not_public check (
    (hidden_at is not null or is_unchecked) = (was_public is not null)
    and (was_public is null or not is_public));
