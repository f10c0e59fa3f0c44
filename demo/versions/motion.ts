import type { DemoHistory } from '#demo/types.ts'

export const motionHistories: Record<string, DemoHistory> = {
  'camera-shake.luau': {
    notes: 'Unbinds from the render loop at rest.',
    earlier: [
      {
        version: '2.0.0',
        daysAgo: 140,
        notes: 'Trauma is squared, and `strength` turns the effect down.',
        since: [
          ['		isRunning = false\n		RunService:UnbindFromRenderStep("CameraShake")\n		return', '		return'],
        ],
      },
      {
        version: '1.1.0',
        daysAgo: 251,
        notes: '`addAt` weakens a shake with distance.',
        since: [
          [
            '-- Camera shake: trauma based, smooth, and kind to people who get seasick.',
            '-- Camera shake: trauma based and smooth.',
          ],
          ['--   Shake.strength = 0                              -- your settings menu\n', ''],
          ['-- Trauma runs from 0 to 1 and is squared, so small hits stay small.', '-- Trauma runs from 0 to 1.'],
          ['local CameraShake = { strength = 1 }', 'local CameraShake = {}'],
          ['	local amount = trauma * trauma * CameraShake.strength\n', '	local amount = trauma\n'],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 365,
        notes: null,
        since: [
          ['--   Shake.addAt(explosion.Position, 1, 60)          -- fades over 60 studs\n', ''],
          [
            'function CameraShake.addAt(position: Vector3, amount: number, radius: number)\n	local distance = (workspace.CurrentCamera.CFrame.Position - position).Magnitude\n	local closeness = 1 - math.clamp(distance / radius, 0, 1)\n	CameraShake.add(amount * closeness)\nend\n\n',
            '',
          ],
        ],
      },
    ],
  },
  'double-jump.luau': {
    notes: 'Swimming gives the jumps back.',
    earlier: [
      {
        version: '1.3.0',
        daysAgo: 130,
        notes: 'Coyote time: an eighth of a second at the edge.',
        since: [
          [
            'if new == Enum.HumanoidStateType.Landed or new == Enum.HumanoidStateType.Swimming then',
            'if new == Enum.HumanoidStateType.Landed then',
          ],
        ],
      },
      {
        version: '1.2.0',
        daysAgo: 215,
        notes: 'Listens to the jump request instead of the space bar: phones and gamepads work.',
        since: [
          [
            '-- Double jump: a second jump in the air, with coyote time at the edge.',
            '-- Double jump: a second jump in the air.',
          ],
          ['local COYOTE_TIME = 0.12\n', ''],
          ['local leftGroundAt = 0\n', ''],
          ['local hasJumpedFromGround = false\n', ''],
          [
            '		lastJumpAt = now\n		hasJumpedFromGround = true\n		return\n	end\n',
            '		lastJumpAt = now\n		return\n	end\n',
          ],
          [
            '	-- Somebody who just walked over the edge still means the first jump.\n	if not hasJumpedFromGround and now - leftGroundAt < COYOTE_TIME then\n		hasJumpedFromGround = true\n		lastJumpAt = now\n		jumpAgain()\n		return\n	end\n\n',
            '',
          ],
          [
            '		hasJumpedFromGround = false\n	elseif new == Enum.HumanoidStateType.Freefall then\n		leftGroundAt = os.clock()\n',
            '',
          ],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 289,
        notes: null,
        since: [
          [
            '-- Works with keyboard, gamepad and the jump button on phones, because it listens\n-- to JumpRequest and not to a key.',
            '-- Press the space bar again in the air.',
          ],
          [
            'UserInputService.JumpRequest:Connect(function()\n	local now',
            'UserInputService.InputBegan:Connect(function(input, isProcessed)\n	if isProcessed or input.KeyCode ~= Enum.KeyCode.Space then\n		return\n	end\n	local now',
          ],
        ],
      },
    ],
  },
  'sprint-stamina.luau': {
    notes: 'A button on phones, and L2 on gamepads.',
    earlier: [
      {
        version: '1.3.0',
        daysAgo: 102,
        notes: 'An empty bar has to reach a third before you can run again.',
        since: [
          [
            '-- Sprint with stamina: hold Shift (or L2, or the button on phones) to run.',
            '-- Sprint with stamina: hold Shift to run.',
          ],
          [
            'onAction, true, Enum.KeyCode.LeftShift, Enum.KeyCode.ButtonL2)\nContextActionService:SetTitle(ACTION, "Run")\nContextActionService:SetPosition(ACTION, UDim2.new(1, -160, 1, -80))\n',
            'onAction, false, Enum.KeyCode.LeftShift)\n',
          ],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 264,
        notes: null,
        since: [
          [
            '-- moment, then fills up; an empty bar has to reach a third before you can run again.',
            '-- moment, then fills up.',
          ],
          ['local RECOVERED_AT = 1 / 3\n', ''],
          ['		if stamina >= RECOVERED_AT then\n			isExhausted = false\n		end\n', '		isExhausted = false\n'],
        ],
      },
    ],
  },
}
