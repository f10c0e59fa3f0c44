-- Cases that the site opens by itself, one per thing and reason, and what their order in the queue follows from.
alter table report_cases
  -- The rule that opened it; 'report' for members' reports and comments that wait for review.
  add column reason text not null default 'report' check (reason in ('report', 'held_version', 'first_version',
    'withdrawn_code', 'identical_code', 'collector', 'broken_update')),
  -- The version of the script that it is about, if it is about one.
  add column version_number integer check (version_number > 0),
  -- How much harm is possible.
  add column severity smallint not null default 1 check (severity between 1 and 10),
  -- Views and downloads of 30 days of the script, refreshed while the case waits.
  add column reach integer not null default 0 check (reach >= 0),
  -- The order at any time is weight * (1 + time / 3 days) - weighted_since, with times since 2026: for each case a line.
  add column weight double precision not null
    generated always as (severity * log(10::double precision + reach)) stored,
  add column weighted_since double precision not null
    generated always as (severity * log(10::double precision + reach) * date_part('epoch',
      coalesce(appealed_at, created_at) - timestamptz '2026-01-01 00:00:00+00') / 259200) stored,
  -- How often it was found.
  add column found_count integer not null default 0 check (found_count >= 0),
  -- Why its cause ended without a decision. 'ended' cases wait no more, and are open again when the cause comes again.
  add column ended_note text check (char_length(ended_note) between 1 and 500),
  drop constraint report_cases_status_check,
  add constraint report_cases_status_check check (status in ('open', 'claimed', 'resolved', 'dismissed', 'ended')),
  add constraint ended_has_its_note check (status <> 'ended' or ended_note is not null);

-- Until now, only first scripts with undeclared findings had cases without reports.
update report_cases c set
  findings = (select jsonb_agg('{"host": null}'::jsonb || f order by n)
    from jsonb_array_elements(c.findings) with ordinality as e (f, n)),
  reason = case when exists (select from reports r where r.case_id = c.id) then 'report' else 'first_version' end,
  found_count = 1
where findings <> '[]';
update report_cases set findings = null where findings = '[]';
update report_cases c set severity = x.severity from (
  select case_id, max(case reason when 'malicious' then 9 when 'illegal' then 8 when 'harassment' then 5
    when 'stolen' then 4 when 'nsfw' then 4 when 'misleading' then 3 else 2 end) as severity
  from reports group by case_id) x where x.case_id = c.id;
update report_cases set severity = 7 where reason = 'first_version';

alter table report_cases
  drop constraint report_cases_findings_check,
  add constraint report_cases_findings_check
    check (jsonb_typeof(findings) = 'array' and jsonb_array_length(findings) between 1 and 20),
  add constraint automatic_has_findings check (reason = 'report' or findings is not null);

drop index report_cases_undecided;
create unique index report_cases_undecided on report_cases (subject_type, subject_id, reason)
  where status in ('open', 'claimed', 'ended');
create index report_cases_by_subject on report_cases (subject_type, subject_id, reason);
create index report_cases_by_danger on report_cases
  (weight, weighted_since, id, reason, status, appeal_status)
  where status in ('open', 'claimed') or appeal_status = 'open';
create index report_cases_decided on report_cases (decided_at) where decided_at is not null;
