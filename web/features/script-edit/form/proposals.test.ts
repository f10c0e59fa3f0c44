import { describe, expect, test } from 'vitest'
import {
  applyProposals,
  NO_PROPOSALS,
  propose,
  proposedFields,
  proposeScriptType,
  proposeTags,
  proposeTitle,
} from './proposals.ts'
import { EMPTY_VALUES } from './values.ts'

test.each([
  ['coin-counter.luau', 'Coin Counter'],
  ['coinCounter.client.luau', 'Coin Counter'],
  ['ESPBox_v2.server.lua', 'ESP Box V2'],
  ['tween.service.lua', 'Tween Service'],
  ['مصباح.lua', 'مصباح'],
  ['coins (2).txt', 'Coins'],
  ['script (1).lua', ''],
  ['init.lua', ''],
  ['NewScript.lua', 'New Script'],
  ['LocalScript.lua', ''],
  ['--.lua', ''],
  ['', ''],
])('the file %s proposes the title "%s"', (fileName, title) => {
  expect(proposeTitle(fileName)).toBe(title)
})

test('a title from a long name is as long as titles may be', () => {
  expect(proposeTitle(`${'x'.repeat(150)}.lua`)).toHaveLength(100)
})

describe('the script type', () => {
  test.each([
    ['Script', 'print(1)', 'spawner.server.lua'],
    ['LocalScript', 'print(1)', 'camera.client.luau'],
    ['ModuleScript', 'local Signal = {}\nreturn Signal\n', undefined],
    ['ModuleScript', 'return {\n\ta = 1,\n}\n-- the end\n', undefined],
    ['ModuleScript', 'return function()\r\n\tprint(1)\r\nend\r\n', undefined],
    [undefined, 'function f()\nreturn 1\nend\nprint(f())', undefined],
    ['LocalScript', 'local player = game.Players.LocalPlayer', undefined],
    ['LocalScript', 'if true then\n\treturn\nend\nworkspace.CurrentCamera.FieldOfView = 1', undefined],
    ['Script', 'game.Players.PlayerAdded:Connect(print)', undefined],
    [undefined, 'remote.OnServerEvent:Connect(f) other:FireServer()', undefined],
    [undefined, '--[[ LocalPlayer ]] print(1) -- LocalPlayer', undefined],
    [undefined, '', undefined],
  ])('is %s for %j', (type, code, fileName) => {
    expect(proposeScriptType({ code, fileName })).toBe(type)
  })
})

test('tags are proposed whose words are in the title or more than once in the code, the best first', () => {
  const code = 'local camera = workspace.CurrentCamera\nlocal cameras = {}\nprint(tween)\n'
  expect(proposeTags(['tween', 'ui', 'camera', 'first-person'], 'First person view', code)).toEqual([
    'first-person',
    'camera',
  ])
  expect(proposeTags(['camera'], 'Camera', '')).toEqual([])
  expect(proposeTags(['game'], 'Lamp', 'game:GetService(game)')).toEqual([])
  expect(proposeTags(['game'], 'My game', 'game:GetService(game)')).toEqual(['game'])
  const names = Array.from({ length: 9 }, (_, i) => `tag${i}`)
  expect(proposeTags(names, names.join(' '), 'x')).toHaveLength(5)
})

describe('a proposal', () => {
  const first = propose({ code: 'return {}', fileName: 'signal.lua' })

  test('fills in empty fields and is marked', () => {
    const values = { ...EMPTY_VALUES, ...applyProposals(EMPTY_VALUES, NO_PROPOSALS, first) }
    expect([values.title, values.script_type]).toEqual(['Signal', 'ModuleScript'])
    expect([...proposedFields(values, first)]).toEqual(['title', 'script_type'])
  })

  test('follows another file, but never replaces what the author wrote', () => {
    const next = propose({ code: 'print(game.Players.LocalPlayer)', fileName: 'lamp.lua' })
    const values = { ...EMPTY_VALUES, ...first, title: 'My signal' }
    expect(applyProposals(values, first, next)).toEqual({ script_type: 'LocalScript' })
    expect([...proposedFields(values, first)]).toEqual(['script_type'])
  })

  test('does not come back after the author removed it', () => {
    const values = { ...EMPTY_VALUES, ...first, title: '' }
    expect(applyProposals(values, first, first)).not.toHaveProperty('title')
  })
})
