import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { demoMembers } from '#demo/members.ts'
import { demoStaff } from '#demo/members/staff.ts'

export interface TestAccount {
  id: string
  username: string
  email: string
  verified: boolean
  role: string
}

const ROLES: Record<string, string> = { admin: 'Admin', moderator: 'Moderator' }

export const ADMIN_ID = demoStaff.find(({ key }) => key === 'admin')?.discordId ?? ''

export const testAccounts: TestAccount[] = demoStaff.map(({ key, discordId, username, emailVerified }) => ({
  id: discordId,
  username,
  email: `${key}@example.com`,
  verified: emailVerified,
  role: ROLES[key] ?? 'Member',
}))

/** An account that has never signed in to the site. */
export function createTestAccount(): TestAccount {
  const number = randomInt(1_000_000, 10_000_000)
  const username = `newcomer_${number}`
  return { id: `90000000000${number}`, username, email: `${username}@example.com`, verified: true, role: 'Returning' }
}

const demoPictures = path.resolve(import.meta.dirname, '../../../demo/images/avatars')
const others = demoMembers.filter((member) => !demoStaff.includes(member))

/** A WebP. Accounts without demo data get the picture of some demo member. */
export function readTestAvatar(id: string): Promise<Buffer> {
  const key = (demoStaff.find(({ discordId }) => discordId === id) ?? others[Number(id.slice(-6)) % others.length])?.key
  return readFile(path.join(demoPictures, `${key}.webp`))
}
