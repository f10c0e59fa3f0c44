// A script is shown to everybody while it is public and its author is not banned, and always to its author and admins.
// Only its author changes it, its former versions are kept, and its code is never run here: it goes out as text.
export { hideScript, unhideScript } from './hide.ts'
export { forgetOldKeys } from './publish-keys.ts'
export { tagColor } from './tag-colors.ts'
export { setTags } from './tags.ts'
