// One time zone and language, because staff compare times with logs and with each other.
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** 'Nov 21, 2026' */
export const dayText = (iso: string): string => days.format(new Date(iso))

/** 'Nov 21, 2026, 7:30 AM UTC' */
export const timeText = (iso: string): string => `${minutes.format(new Date(iso))} UTC`
