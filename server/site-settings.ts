import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createSeal, type Seal } from '#server/platform/db/seal.ts'
import { checkApplicationAt } from '#server/features/accounts/discord.ts'
import type { SecurityLog } from '#server/platform/security/security-log.ts'
import { registerSetup } from '#server/operations/setup/routes.ts'
import { Setup } from '#server/operations/setup/setup.ts'
import { Branding } from '#server/features/site/branding.ts'
import type { App } from '#server/platform/http/app.ts'

export interface SiteSettings {
  branding: Branding
  setup: Setup
  /** Encrypts the secret of the Discord application. */
  setupSeal: Seal
}

interface SiteSettingsOptions {
  db: Database
  config: Config
  onChange: () => void
}

export function openSiteSettings(app: App, { db, config, onChange }: SiteSettingsOptions): SiteSettings {
  const setupSeal = createSeal(config.secretKey, 'setup', config.retiredSecretKeys)
  const branding = new Branding({ db, log: app.log, config, onChange })
  const setup = new Setup({ db, log: app.log, config, seal: setupSeal, onChange })
  app.addHook('onClose', async () => {
    await branding.close()
    await setup.close()
  })
  return { branding, setup, setupSeal }
}

/** Loads both. Call it before the first request. */
export async function startSiteSettings({ branding, setup }: SiteSettings): Promise<void> {
  await branding.start()
  await setup.start()
}

interface SiteSettingsServices extends SiteSettings {
  db: Database
  securityLog: SecurityLog
  config: Config
}

export function registerSiteSettings(app: App, { setupSeal, ...services }: SiteSettingsServices): void {
  const checkApplication = checkApplicationAt(services.config.discord.apiUrl)
  registerSetup(app, { ...services, seal: setupSeal, checkApplication })
}
