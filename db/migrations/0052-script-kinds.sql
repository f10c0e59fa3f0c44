-- License (an SPDX identifier), kind of script, where it goes and what it needs. The site's code has the lists of values.
alter table scripts
  add column license text check (license ~ '^[A-Za-z0-9.+-]{1,40}$'),
  add column script_type text check (script_type in ('Script', 'LocalScript', 'ModuleScript')),
  add column placement text check (placement ~ '^[A-Za-z]{1,40}$'),
  add column requirements text check (char_length(requirements) between 1 and 500);
