-- One list of code that may not be published again: of withdrawn versions, and of scripts that moderators hid.
alter table withdrawals
  -- What was withdrawn. Entries about versions are public; the others only reject the code.
  add column subject text not null default 'version' check (subject in ('version', 'script')),
  -- Null if the tokens were not hashed yet, or are too few to be compared.
  add column token_sha256 text check (token_sha256 ~ '^[0-9a-f]{64}$'),
  -- Whether the code is rejected in all scripts, also with other names and layout; else only its bytes in this script.
  add column is_sitewide boolean not null default false,
  alter column slug drop not null,
  alter column version drop not null,
  alter column reason drop not null,
  add constraint version_is_described
    check (subject = 'script' or slug is not null and version is not null and reason is not null);
drop index withdrawals_standing;
create unique index withdrawals_standing on withdrawals (script_id, sha256, subject) where reinstated_at is null;
comment on table withdrawals is
  'Code that may not be published again, one row per script, code and subject; rows are never deleted and name nobody.';

update withdrawals w set is_sitewide = withdrawn_as = 'moderators',
  token_sha256 = (select h.token_sha256 from code_hashes h where h.sha256 = w.sha256);
-- The hash of the tokens may be left only in a row of the same decision.
insert into withdrawals (script_id, sha256, token_sha256, subject, withdrawn_as, is_sitewide, withdrawn_at)
select b.script_id, b.sha256, coalesce(h.token_sha256, t.sha256), 'script', 'moderators', true, b.withdrawn_at
from withdrawn_code b left join code_hashes h on h.sha256 = b.sha256
  left join lateral (select sha256 from withdrawn_code
    where kind = 'tokens' and script_id = b.script_id and withdrawn_at = b.withdrawn_at limit 1) t on true
where b.kind = 'bytes' order by b.withdrawn_at, b.script_id, b.sha256;
drop table withdrawn_code;
create index withdrawals_by_tokens on withdrawals (token_sha256) where token_sha256 is not null and is_sitewide;
