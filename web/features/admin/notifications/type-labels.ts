/** The kinds of notification that admins send, the usual first. */
export const TYPE_LABELS = { info: 'Info', success: 'Success', warning: 'Warning', error: 'Error' } as const
export type NotificationType = keyof typeof TYPE_LABELS
