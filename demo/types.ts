import type { CapabilityId } from '#contract/behavior-names.ts'

// Ages are relative ('days ago') so that a freshly filled site always looks lived in.

export interface DemoPrivacy {
  profile_visibility: 'public' | 'private'
  show_email: boolean
  show_location: boolean
  show_website: boolean
  show_social_links: boolean
  show_script_stats: boolean
  show_recent_activity: boolean
}

export type SocialNetwork = 'youtube' | 'github' | 'x' | 'twitch' | 'roblox' | 'discord'

export interface DemoMember {
  /** Stable name by which scripts, reviews and giveaways refer to the member. */
  key: string
  /** 18 digits, as Discord writes ids. */
  discordId: string
  username: string
  displayName: string
  bio: string
  location: string
  website: string
  /** Lead to the sites' own accounts: a made-up one could be somebody's. */
  socialLinks: Partial<Record<SocialNetwork, string>>
  isAdmin: boolean
  isModerator: boolean
  subscriptionType: 'free' | 'premium'
  title?: string
  customBadge?: string
  badgeColor?: string
  joinedDaysAgo: number
  lastSeenMinutesAgo: number
  emailVerified: boolean
  privacy?: Partial<DemoPrivacy>
}

export interface DemoShowcase {
  daysAgo: number
  notes: string
  /** The 11 characters of a YouTube video, only where a real one exists. */
  videoId?: string
}

export interface DemoScript {
  /** File name in demo/scripts, which is also the script's stable name in the demo data. */
  file: string
  author: string
  title: string
  /** The first sentence of the description if it is missing. */
  summary?: string
  description: string
  version: string
  tags: string[]
  hasKeySystem: boolean
  keySystemUrl: string | null
  isUniversal: boolean
  /** Digits, and set only where isUniversal is false. */
  gameId: string | null
  /** False is what the site calls FE. */
  isClientSide: boolean
  isFree: boolean
  isFeatured: boolean
  isVerified: boolean
  isShowcased: boolean
  showcase?: DemoShowcase
  isPublic: boolean
  isMobileCompatible: boolean
  isWorking: boolean
  /** What the author says that the current version does. Missing means that nobody was asked. */
  declares?: { capabilities: CapabilityId[]; hosts: string[] }
  createdDaysAgo: number
  updatedDaysAgo: number
  views: number
  downloads: number
}

/** The versions of a script. The code of an earlier one is that of the next one with the passages of `since` restored. */
export interface DemoHistory {
  /** Changelog of the current version. */
  notes: string
  /** Newest first. */
  earlier: {
    version: string
    daysAgo: number
    /** Null for the first version. */
    notes: string | null
    /** Passages that the next version has, each exactly once, and what this one has instead. */
    since: [later: string, earlier: string][]
  }[]
}

export interface DemoReview {
  script: string
  member: string
  rating: 1 | 2 | 3 | 4 | 5
  /** Null is a rating without words. */
  review: string | null
  daysAgo: number
  reply?: string
}

export interface DemoGiveaway {
  title: string
  description: string
  prizeType: 'exec_key' | 'executor_key' | 'custom' | 'other'
  prizeDescription: string
  /** One line per winner; plainly made-up keys. */
  prizeValue: string
  /** Negative means that it has ended. */
  endsInDays: number
  maxEntries: number | null
  winnerCount: number
  entryRequirement: 'login' | 'verified'
  isActive: boolean
  entrants: string[]
}

export interface DemoWorksNote {
  script: string
  member: string
  works: boolean
  note: string
  daysAgo: number
}

export interface DemoReport {
  reporter: string
  reason: 'spam' | 'stolen' | 'malicious' | 'illegal' | 'nsfw' | 'harassment' | 'misleading' | 'other'
  text: string
  daysAgo: number
}

/** The reports on one script, or on one member's review of it. */
export interface DemoCase {
  script: string
  /** The author of the review that is reported. */
  reviewBy?: string
  reports: DemoReport[]
  decision?: { action: 'hide' | 'dismiss'; by: string; reason: string; daysAgo: number }
  /** The author's appeal against the decision. */
  appeal?: { text: string; daysAgo: number }
}

export interface DemoReply {
  member: string
  text: string
  daysAgo: number
  /** Members who found it helpful. */
  helpfulTo?: string[]
}

export interface DemoComment extends DemoReply {
  script: string
  replies: DemoReply[]
}

export interface DemoCollection {
  owner: string
  name: string
  description: string | null
  isPublic: boolean
  updatedDaysAgo: number
  /** Scripts by file without extension, each with a note or null. */
  items: [script: string, note: string | null][]
}
