// npm run link-member -- --member NAME --discord ID: lets the owner of a Discord account sign in as an imported member.
import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/platform/config/values.ts'
import { linkImportedMember } from '#server/features/accounts/link-member.ts'
import { loadPersonKey } from '#server/features/accounts/person-key.ts'
import { runCommand } from './run-command.ts'

await runCommand(async ({ config, db }) => {
  const { values } = parseArgs({ options: { member: { type: 'string' }, discord: { type: 'string' } } })
  const { member, discord } = values
  if (!member || !discord) throw new UserFacingError('Use npm run link-member -- --member NAME --discord ID.')
  const key = await loadPersonKey(db, config)
  const { username } = await linkImportedMember(db, key, { member, discordId: discord })
  return `The owner of this Discord account signs in as ${username} from now on.`
})
