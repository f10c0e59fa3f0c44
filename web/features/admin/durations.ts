/** Hours of bans and mutes, days of warnings. */
export type Duration = number | 'permanent'

export const BAN_HOURS = { '1': '1 hour', '24': '24 hours', '168': '7 days', '720': '30 days', permanent: 'Permanent' }
export const BULK_BAN_HOURS = { '24': '24 hours', '168': '7 days', '720': '30 days', permanent: 'Permanent' }
export const MUTE_HOURS = {
  '1': '1 hour',
  '6': '6 hours',
  '24': '24 hours',
  '168': '7 days',
  permanent: 'Permanent',
}
export const WARNING_DAYS = { '7': '7 days', '30': '30 days', '90': '90 days', permanent: 'Permanent' }

export const readDuration = (chosen: string): Duration => (chosen === 'permanent' ? chosen : Number(chosen))
