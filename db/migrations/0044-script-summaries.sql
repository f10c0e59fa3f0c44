-- What a script does, in one sentence. Null means the first sentence of the description, which is computed when a card is
-- read, so that existing scripts need no rewrite and the summary follows the description. NOT VALID skips the scan of the
-- table under an exclusive lock: the column is null in every existing row, and new values are checked.
alter table scripts add column summary text;
alter table scripts add constraint scripts_summary_length check (char_length(summary) between 1 and 140) not valid;
