-- Renames what does not use the words of docs/glossary.md. The text of a function names its tables, so functions are replaced.
alter table daily_figures rename to daily_stats;
alter table daily_stats rename column departures to account_deletions;
alter table daily_stats rename column removals to script_deletions;
alter table handoffs rename to login_tokens;
alter index handoffs_by_member rename to login_tokens_by_member;
alter table refused_sign_ins rename to rejected_sign_ins;
alter table rejected_sign_ins rename column refused_at to rejected_at;
alter index refused_sign_ins_by_member rename to rejected_sign_ins_by_member;
alter table sign_ins rename column begun_at to started_at;
alter table catalogue_feed rename column forgotten_to to deleted_through;
alter table inboxes rename column read_to to read_through;
alter table inboxes rename column cleared_to to deleted_through;
alter table email_addresses rename column digested_to to digested_through;

-- PostgreSQL 18 also names constraints for columns that are not null.
do $$
declare
  former record;
begin
  for former in
    select relname, conname, replace(conname, old_name, relname) as new_name
    from (values ('daily_stats', 'daily_figures'), ('login_tokens', 'handoffs'), ('rejected_sign_ins', 'refused_sign_ins'))
      renamed (relname, old_name)
    join pg_constraint on conrelid = relname::regclass and starts_with(conname, old_name)
  loop
    execute format('alter table %I rename constraint %I to %I', former.relname, former.conname, former.new_name);
  end loop;
end $$;

alter trigger members_gone_counted on members rename to members_deleted_counted;
alter trigger scripts_gone_counted on scripts rename to scripts_deleted_counted;
alter trigger scripts_keep_hidden on scripts rename to scripts_hidden_is_private;
alter trigger giveaways_made on giveaways rename to giveaways_inserted_deleted;
alter trigger giveaways_changed on giveaways rename to giveaways_updated;
drop trigger profile_deleted on members;
drop trigger slug_retired on members;
alter function note_scripts(integer[]) rename to record_script_changes;
alter function note_new_scripts() rename to record_changed_scripts;
alter function note_script_parts() rename to record_changed_script_parts;
alter function note_author() rename to record_changed_authors;
alter function note_profile() rename to record_changed_profiles;
alter function note_gone_profile() rename to record_deleted_profiles;
alter function note_collections() rename to record_changed_collections;
alter function note_giveaways() rename to record_changed_giveaways;
alter function figures_slot() rename to stats_slot;
alter function recount_daily_figures() rename to recount_daily_stats;
alter function count_departures() rename to count_account_deletions;
alter function count_removals() rename to count_script_deletions;
alter function refuse_change() rename to reject_change;
alter function tell_sessions_ended() rename to notify_sessions_ended;
alter function tell_standing_changed() rename to notify_standing_changed;
alter function keep_hidden() rename to make_hidden_private;

create or replace function count_account_deletions() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, account_deletions)
    select utc_day(now()), stats_slot(), count(*) from changed having count(*) > 0
    on conflict (day, slot) do update set account_deletions = f.account_deletions + excluded.account_deletions;
  return null;
end $$;

create or replace function count_downloads() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, downloads)
    select utc_day(now()), stats_slot(), sum(c.download_count - o.download_count)
      from changed c join former o using (script_id) where c.download_count > o.download_count having count(*) > 0
    on conflict (day, slot) do update set downloads = f.downloads + excluded.downloads;
  return null;
end $$;

create or replace function count_first_downloads() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, downloads)
    select utc_day(s.created_at), stats_slot(), sum(c.download_count)
      from changed c join scripts s on s.id = c.script_id where c.download_count > 0 group by 1 order by 1
    on conflict (day, slot) do update set downloads = f.downloads + excluded.downloads;
  return null;
end $$;

create or replace function count_new_followers() returns trigger language plpgsql as $$
begin
  insert into follower_counts as c (member_id, follower_count)
    select author_id, count(*) from changed group by author_id order by author_id
    on conflict (member_id) do update set follower_count = c.follower_count + excluded.follower_count;
  perform record_script_changes(array[0]) from changed limit 1;
  return null;
end $$;

create or replace function count_ratings() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, ratings)
    select utc_day(created_at), stats_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set ratings = f.ratings + excluded.ratings;
  return null;
end $$;

create or replace function count_script_deletions() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, script_deletions)
    select utc_day(now()), stats_slot(), count(*) from changed having count(*) > 0
    on conflict (day, slot) do update set script_deletions = f.script_deletions + excluded.script_deletions;
  return null;
end $$;

create or replace function count_removed_followers() returns trigger language plpgsql as $$
begin
  perform from follower_counts where member_id in (select author_id from changed) order by member_id for update;
  update follower_counts c set follower_count = c.follower_count - r.number
    from (select author_id, count(*) as number from changed group by author_id) r where c.member_id = r.author_id;
  perform record_script_changes(array[0]) from changed limit 1;
  return null;
end $$;

create or replace function count_sign_ups() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, sign_ups)
    select utc_day(created_at), stats_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set sign_ups = f.sign_ups + excluded.sign_ups;
  return null;
end $$;

create or replace function count_uploads() returns trigger language plpgsql as $$
begin
  insert into daily_stats as f (day, slot, uploads)
    select utc_day(created_at), stats_slot(), count(*) from changed group by 1 order by 1
    on conflict (day, slot) do update set uploads = f.uploads + excluded.uploads;
  return null;
end $$;

create or replace function record_changed_authors() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array_agg(s.id))
    from changed c join former f on f.id = c.id join scripts s on s.author_id = c.id
    where (c.username, c.slug, c.display_name, c.avatar, c.discriminator, c.profile_image, c.banned_until, c.is_private)
      is distinct from (f.username, f.slug, f.display_name, f.avatar, f.discriminator, f.profile_image, f.banned_until,
        f.is_private)
    having count(*) > 0;
  return null;
end $$;

create or replace function record_changed_collections() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array[0]) from changed limit 1;
  return null;
end $$;

create or replace function record_changed_giveaways() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array[0]);
  return null;
end $$;

create or replace function record_deleted_profiles() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array[0]) from changed limit 1;
  return null;
end $$;

create or replace function record_changed_scripts() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array_agg(id)) from changed having count(*) > 0;
  return null;
end $$;

create or replace function record_changed_profiles() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array[0]) from changed c join former f on f.id = c.id
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

create or replace function record_changed_script_parts() returns trigger language plpgsql as $$
begin
  perform record_script_changes(array_agg(script_id)) from changed having count(*) > 0;
  return null;
end $$;

create or replace function recount_daily_stats() returns void language plpgsql as $$
begin
  delete from daily_stats;
  insert into daily_stats (day, slot, sign_ups, uploads, downloads, ratings)
    select day, 0, sum(a), sum(b), sum(c), sum(d) from (
      select utc_day(created_at) as day, 1 as a, 0 as b, 0 as c, 0 as d from members
      union all select utc_day(s.created_at), 0, 1, st.download_count, 0
        from scripts s join script_stats st on st.script_id = s.id
      union all select utc_day(created_at), 0, 0, 0, 1 from ratings
    ) x group by day;
end $$;

create or replace function retire_slug() returns trigger language plpgsql as $$
begin
  insert into retired_slugs (slug_sha256) select sha256(convert_to(slug, 'UTF8')) from changed on conflict do nothing;
  return null;
end $$;

create trigger profile_deleted after delete on members referencing old table as changed
  for each statement execute function record_deleted_profiles();
create trigger slug_retired after delete on members referencing old table as changed
  for each statement execute function retire_slug();
