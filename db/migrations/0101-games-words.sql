-- compatible: yes
-- Games are named rarely and suggested at every keystroke, which would read the list of pending words each time.
alter index games_words set (fastupdate = off);
select gin_clean_pending_list('games_words');
