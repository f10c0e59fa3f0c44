import type { DemoHistory } from '#demo/types.ts'

export const moduleHistories: Record<string, DemoHistory> = {
  'signal.luau': {
    notes: 'Listeners may connect and disconnect while the signal fires.',
    earlier: [
      {
        version: '2.3.0',
        daysAgo: 190,
        notes: 'Wait returns what was fired.',
        since: [
          [
            '		-- A copy, so that listeners may connect and disconnect while we walk.\n		for _, listener in table.clone(listeners) do\n			if',
            '		for _, listener in listeners do\n			if',
          ],
        ],
      },
      {
        version: '2.2.0',
        daysAgo: 402,
        notes: 'Listeners run in threads of their own. One that errors no longer stops the rest.',
        since: [
          ['	Wait: (self: Signal) -> ...any,', '	Wait: (self: Signal) -> (),'],
          ['	function signal.Wait(self: Signal): ...any', '	function signal.Wait(self: Signal)'],
          ['			task.spawn(thread, ...)', '			task.spawn(thread)'],
          ['(function(...)\n			task.spawn(thread)', '(function()\n			task.spawn(thread)'],
          ['		return coroutine.yield()', '		coroutine.yield()'],
        ],
      },
      {
        version: '2.0.0',
        daysAgo: 612,
        notes: null,
        since: [
          ['-- A listener that yields or errors never holds up the others.\n', ''],
          ['task.spawn(listener.callback, ...)', 'listener.callback(...)'],
        ],
      },
    ],
  },
  'spring.luau': {
    notes: 'Solves the motion exactly. **Breaking:** `step` takes the frame time and nothing else.',
    earlier: [
      {
        version: '2.1.0',
        daysAgo: 260,
        notes: 'Adds `isResting`, so that you can stop stepping.',
        since: [
          [
            '-- Spring: a damped spring that gives the exact answer for any frame time, so it\n-- never explodes when a phone drops to ten frames a second.',
            '-- Spring: a damped spring for interfaces and cameras.',
          ],
          [
            '	local decay = math.exp(-damping * omega * deltaTime)\n\n	local newOffset, newVelocity\n	if math.abs(damping - 1) < 1e-4 then\n		newOffset = (offset * (1 + omega * deltaTime) + velocity * deltaTime) * decay\n		newVelocity = (velocity * (1 - omega * deltaTime) - offset * (omega * omega * deltaTime)) * decay\n	elseif damping < 1 then\n		local c = math.sqrt(1 - damping * damping)\n		local i = math.cos(omega * c * deltaTime)\n		local j = math.sin(omega * c * deltaTime)\n		local z = j / (omega * c)\n		newOffset = (offset * (i + damping * j / c) + velocity * z) * decay\n		newVelocity = (velocity * (i - damping * j / c) - offset * (z * omega * omega)) * decay\n	else\n		local c = math.sqrt(damping * damping - 1)\n		local r1 = -omega * (damping - c)\n		local r2 = -omega * (damping + c)\n		local second = (velocity - offset * r1) / (2 * omega * -c)\n		local first = offset - second\n		local e1 = first * math.exp(r1 * deltaTime)\n		local e2 = second * math.exp(r2 * deltaTime)\n		newOffset = e1 + e2\n		newVelocity = e1 * r1 + e2 * r2\n	end\n\n	self.position = self.target + newOffset\n	self.velocity = newVelocity\n',
            '	-- Small steps, because one big step overshoots.\n	local steps = math.ceil(deltaTime * 240)\n	local slice = deltaTime / steps\n	for _ = 1, steps do\n		velocity += (offset * (-omega * omega) - velocity * (2 * damping * omega)) * slice\n		offset += velocity * slice\n	end\n\n	self.position = self.target + offset\n	self.velocity = velocity\n',
          ],
        ],
      },
      {
        version: '2.0.0',
        daysAgo: 388,
        notes: 'Works with Vector2 and Vector3.',
        since: [
          ['	isResting: (self: Spring, tolerance: number?) -> boolean,\n', ''],
          [
            'local function lengthOf(value: any): number\n	return if type(value) == "number" then math.abs(value) else value.Magnitude\nend\n\n',
            '',
          ],
          [
            'function Spring.isResting(self: Spring, tolerance: number?): boolean\n	local limit = tolerance or 1e-3\n	return lengthOf(self.position - self.target) < limit and lengthOf(self.velocity) < limit\nend\n\n',
            '',
          ],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 505,
        notes: null,
        since: [
          ['-- Works with numbers, Vector2 and Vector3. Damping', '-- Works with numbers. Damping'],
          ['		velocity = start * 0,', '		velocity = 0,'],
        ],
      },
    ],
  },
  'toast-stack.luau': {
    notes: 'More than five toasts wait in line instead of covering the screen.',
    earlier: [
      {
        version: '1.3.0',
        daysAgo: 88,
        notes: 'A tap dismisses a toast.',
        since: [
          ['-- A tap dismisses a toast. More than five wait in line.', '-- A tap dismisses a toast.'],
          ['local MAX_VISIBLE = 5\n', ''],
          ['local waiting: { Message } = {}\nlocal visible = 0\n', ''],
          ['	visible += 1\n', ''],
          [
            '			visible -= 1\n			local nextMessage = table.remove(waiting, 1)\n			if nextMessage then\n				present(nextMessage)\n			end\n',
            '',
          ],
          [
            '	if visible < MAX_VISIBLE then\n		present(message)\n	else\n		table.insert(waiting, message)\n	end\n',
            '	present(message)\n',
          ],
        ],
      },
      {
        version: '1.1.0',
        daysAgo: 231,
        notes: null,
        since: [
          ['-- A tap dismisses a toast.\n', ''],
          ['	button.Activated:Connect(leave)\n', ''],
        ],
      },
    ],
  },
  'ray-gizmos.luau': {
    notes: 'Draws in Studio only.',
    earlier: [
      {
        version: '1.0.4',
        daysAgo: 70,
        notes: 'Boxes, and `overlapBox` to see what an overlap query finds.',
        since: [
          [' Draws in Studio only,\n-- so the calls can stay where they are.', ''],
          ['local RunService = game:GetService("RunService")\n', ''],
          ['local isEnabled = RunService:IsStudio()\n', ''],
          [
            '(position: Vector3, color: Color3?, radius: number?)\n	if not isEnabled then\n		return\n	end\n',
            '(position: Vector3, color: Color3?, radius: number?)\n',
          ],
          ['if not isEnabled or length < 1e-3', 'if length < 1e-3'],
          [
            '(frame: CFrame, size: Vector3, color: Color3?)\n	if not isEnabled then\n		return\n	end\n',
            '(frame: CFrame, size: Vector3, color: Color3?)\n',
          ],
        ],
      },
      {
        version: '1.0.0',
        daysAgo: 121,
        notes: null,
        since: [
          [
            '-- Ray gizmos: see your raycasts, boxes and points while you debug.',
            '-- Ray gizmos: see your raycasts and points while you debug.',
          ],
          ['--   Gizmos.box(cframe, size)\n', ''],
          [
            'function Gizmos.box(frame: CFrame, size: Vector3, color: Color3?)\n	local box = Instance.new("BoxHandleAdornment")\n	box.CFrame = frame\n	box.Size = size\n	finish(box, color or NOTE)\nend\n\n',
            '',
          ],
          [
            'function Gizmos.overlapBox(frame: CFrame, size: Vector3, parameters: OverlapParams?): { BasePart }\n	local parts = workspace:GetPartBoundsInBox(frame, size, parameters)\n	Gizmos.box(frame, size, if #parts > 0 then HIT else MISS)\n	return parts\nend\n\n',
            '',
          ],
        ],
      },
    ],
  },
}
