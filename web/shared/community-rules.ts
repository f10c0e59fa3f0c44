import type { ReportReason } from './report-reasons.ts'

interface Rule {
  title: string
  text: string
  /** What a decision tells an author who broke it. Moderators edit it. */
  decision: string
}

/** The rules of a site whose admins wrote none: one for each reason that a report may have. */
export const RULES: Record<ReportReason, Rule> = {
  spam: {
    title: 'No spam or advertising',
    text: 'Do not advertise shops, servers or other sites, and do not post the same thing again and again. Links that belong to your script are fine.',
    decision: 'This is advertising or repeats what you already posted. Remove it, and do not post it again.',
  },
  stolen: {
    title: 'Publish your own work',
    text: 'Publish only what you made or are allowed to share. Keep the names of other authors, and follow their license.',
    decision: 'This is the work of somebody else, without their permission or their name.',
  },
  malicious: {
    title: 'No malicious code',
    text: 'No token loggers, back doors, hidden downloads or code that harms the people who run it. If a script sends data about them, its author says which data and where it goes.',
    decision: 'The code does something harmful that its page does not say.',
  },
  illegal: {
    title: 'Nothing illegal',
    text: 'Nothing that breaks the law or helps others to break it, and no private information about other people.',
    decision: 'This breaks the law or helps others to break it.',
  },
  nsfw: {
    title: 'Keep it safe for work',
    text: 'No sexual content, gore or shock images, in scripts, images, profiles, reviews or comments.',
    decision: 'This is not safe for work.',
  },
  harassment: {
    title: 'Treat people with respect',
    text: 'No insults, threats or hate. Criticize the code, not the person who wrote it.',
    decision: 'This attacks a person instead of the code.',
  },
  misleading: {
    title: 'Say what it really does',
    text: 'Title, description, tags and images show what a script really does. Do not promise what it cannot do, and do not use the names of people who had no part in it.',
    decision: 'The title, description, tags or images do not show what the script really does.',
  },
  other: {
    title: 'Keep it fair',
    text: 'Do not manipulate ratings, votes or giveaways, and do not use a second account to get around a decision.',
    decision: '',
  },
}
