-- Bytes of code and images that a member stored on a UTC day, for the limit per day. Rows are deleted after the day.
create table upload_usage (
  member_id integer not null references members (id) on delete cascade,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (member_id, day)
);
create index upload_usage_day on upload_usage (day);
