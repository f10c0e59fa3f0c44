-- A profile page shows more of a member than a card does. A change of that is in the feed as script 0, which is none: it
-- makes every process throw away the pages it has, and no card.
create function note_profile() returns trigger language plpgsql as $$
begin
  perform note_scripts(array[0]) from changed c join former f on f.id = c.id
    where (c.username, c.slug, c.discriminator, c.avatar, c.display_name, c.bio, c.location, c.website, c.social_links,
        c.profile_image, c.banner_image, c.is_private, c.show_email, c.show_location, c.show_website,
        c.show_social_links, c.show_script_stats, c.show_recent_activity, c.is_admin, c.is_moderator, c.title,
        c.custom_badge, c.badge_color, c.banned_until, c.reputation, case when c.show_email then c.email end)
      is distinct from (f.username, f.slug, f.discriminator, f.avatar, f.display_name, f.bio, f.location, f.website,
        f.social_links, f.profile_image, f.banner_image, f.is_private, f.show_email, f.show_location, f.show_website,
        f.show_social_links, f.show_script_stats, f.show_recent_activity, f.is_admin, f.is_moderator, f.title,
        f.custom_badge, f.badge_color, f.banned_until, f.reputation, case when f.show_email then f.email end)
    limit 1;
  return null;
end $$;
create trigger profile_updated after update on members
  referencing old table as former new table as changed for each statement execute function note_profile();

create function note_gone_profile() returns trigger language plpgsql as $$
begin
  perform note_scripts(array[0]) from gone limit 1;
  return null;
end $$;
create trigger profile_deleted after delete on members
  referencing old table as gone for each statement execute function note_gone_profile();

-- Whoever deletes their account is looked for in these.
create index sanctions_imposed_by on sanctions (imposed_by) where imposed_by is not null;
create index sanctions_lifted_by on sanctions (lifted_by) where lifted_by is not null;

-- A slug never changes hands, also when its account is gone: kept as a hash, since the name goes with the account.
create table retired_slugs (
  slug_sha256 bytea primary key check (octet_length(slug_sha256) = 32),
  retired_at timestamptz not null default now()
);
create function retire_slug() returns trigger language plpgsql as $$
begin
  insert into retired_slugs (slug_sha256) select sha256(convert_to(slug, 'UTF8')) from gone on conflict do nothing;
  return null;
end $$;
create trigger slug_retired after delete on members
  referencing old table as gone for each statement execute function retire_slug();
