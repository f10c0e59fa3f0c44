-- Collections can be reported, and hidden by moderators. is_public stays the owner's choice.
alter table collections add column hidden_at timestamptz;

alter table report_cases drop constraint report_cases_subject_type_check;
alter table report_cases add constraint report_cases_subject_type_check
  check (subject_type in ('script', 'review', 'profile', 'comment', 'collection'));
