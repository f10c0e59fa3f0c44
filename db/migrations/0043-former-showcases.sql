-- The values of a removed showcase, for when the script is added again. Before, they were read from the audit log.
alter table scripts
  add column former_showcase_date timestamptz,
  add column former_showcase_video_url text,
  add column former_showcase_notes text;

update scripts s set
    former_showcase_date = (removal.before ->> 'showcase_date')::timestamptz,
    former_showcase_video_url = removal.before ->> 'showcase_video_url',
    former_showcase_notes = removal.before ->> 'showcase_notes'
  from (select distinct on (subject_id) subject_id, before from audit_log
    where action = 'unshowcase_script' and subject_type = 'script' and before ->> 'showcase_date' is not null
    order by subject_id, id desc) removal
  where s.id = removal.subject_id and s.showcase_date is null;
