import { randomInt } from 'node:crypto'
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

const keyOf = (id: string) => demoStaff.find(({ discordId }) => discordId === id)?.key ?? id

/** An SVG. What draws is loaded for the first one. */
export async function drawTestAvatar(id: string): Promise<string> {
  const { drawAvatar } = await import('#demo/cover.ts')
  return drawAvatar(keyOf(id))
}
