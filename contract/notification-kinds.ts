/** Kinds of event that a member may choose to hear of or not. */
export const NOTIFICATION_KINDS = ['reviews', 'replies', 'reputation', 'giveaways', 'script_status'] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]
