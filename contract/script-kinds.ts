/** Licenses, script types and placements. It imports no schema library: the browser downloads this file. */

export const LICENSES = {
  MIT: 'MIT License',
  'Apache-2.0': 'Apache License 2.0',
  'BSD-2-Clause': 'BSD 2-Clause License',
  'BSD-3-Clause': 'BSD 3-Clause License',
  ISC: 'ISC License',
  'MPL-2.0': 'Mozilla Public License 2.0',
  'LGPL-3.0-or-later': 'GNU Lesser General Public License 3.0 or later',
  'GPL-3.0-or-later': 'GNU General Public License 3.0 or later',
  'AGPL-3.0-or-later': 'GNU Affero General Public License 3.0 or later',
  'CC-BY-4.0': 'Creative Commons Attribution 4.0',
  'CC0-1.0': 'Creative Commons Zero 1.0',
  Unlicense: 'The Unlicense',
} as const
export type License = keyof typeof LICENSES

export const SCRIPT_TYPES = ['Script', 'LocalScript', 'ModuleScript'] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]

/** Services and containers of Roblox that scripts are put into. */
export const PLACEMENTS = [
  'ServerScriptService',
  'ServerStorage',
  'ReplicatedStorage',
  'ReplicatedFirst',
  'StarterPlayerScripts',
  'StarterCharacterScripts',
  'StarterGui',
  'StarterPack',
  'Workspace',
] as const

export const isLicense = (text: string): text is License => Object.hasOwn(LICENSES, text)
