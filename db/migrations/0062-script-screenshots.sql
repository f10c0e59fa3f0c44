-- Images on the page of a script besides its cover, in the author's order. A change of them is a change of the script, whose
-- row goes to the change feed.
create table script_screenshots (
  script_id integer not null references scripts (id) on delete cascade,
  position smallint not null check (position between 1 and 8),
  image text not null references media (hash),
  -- What the image shows, for people who do not see it.
  alt text not null check (char_length(alt) between 1 and 140),
  primary key (script_id, position),
  unique (script_id, image)
);
create index script_screenshots_image on script_screenshots (image);
