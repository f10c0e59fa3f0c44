import Coins from 'lucide-react/icons/coins'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Gift from 'lucide-react/icons/gift'
import Globe from 'lucide-react/icons/globe'
import Lock from 'lucide-react/icons/lock'
import Monitor from 'lucide-react/icons/monitor'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import { Field } from '#web/ui/field.tsx'
import { type RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import type { FieldGroupProps } from './form-part.ts'

type YesNo = 'yes' | 'no'

const compatibility: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Universal', text: 'Works in every game', icon: Globe },
  { value: 'no', label: 'Game-specific', text: 'Made for one game', icon: Gamepad2 },
]
const execution: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Client-side', text: 'Only its user sees what it does', icon: Monitor },
  { value: 'no', label: 'FE', text: 'Others see what it does (filtering enabled)', icon: Server },
]
const pricing: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Free', text: 'Costs nothing to use', icon: Gift },
  { value: 'no', label: 'Paid', text: 'Has to be bought from its author', icon: Coins },
]
const visibility: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Public', text: 'Everybody can find and use it', icon: Users },
  { value: 'no', label: 'Private', text: 'Only you and the admins can see it', icon: Lock },
]

const of = (is: boolean): YesNo => (is ? 'yes' : 'no')

/** What kind of script it is, and who can see it. */
export function PropertyFields({ values, errors, change }: FieldGroupProps) {
  return (
    <>
      <RadioCards
        legend="Compatibility"
        cards={compatibility}
        value={of(values.is_universal)}
        onChange={(value) => change({ is_universal: value === 'yes' })}
      />
      {!values.is_universal && (
        <Field
          name="game_id"
          label="Game id"
          help="The number in the game's address: roblox.com/games/1234567890."
          error={errors['game_id']}
        >
          {(aria) => (
            <TextInput
              {...aria}
              dir="ltr"
              inputMode="numeric"
              value={values.game_id}
              onChange={(game_id) => change({ game_id })}
            />
          )}
        </Field>
      )}
      <RadioCards
        legend="Execution type"
        cards={execution}
        value={of(values.is_client_side)}
        onChange={(value) => change({ is_client_side: value === 'yes' })}
      />
      <RadioCards
        legend="Pricing"
        cards={pricing}
        value={of(values.is_free)}
        onChange={(value) => change({ is_free: value === 'yes' })}
      />
      <div className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        <Switch
          label="Mobile compatible"
          help="It runs on phones and tablets too."
          isOn={values.is_mobile_compatible}
          onChange={(is_mobile_compatible) => change({ is_mobile_compatible })}
        />
        <Switch
          label="Working"
          help="Turn it off while the script is broken."
          isOn={values.is_working}
          onChange={(is_working) => change({ is_working })}
        />
      </div>
      <RadioCards
        legend="Visibility"
        cards={visibility}
        value={of(values.is_public)}
        onChange={(value) => change({ is_public: value === 'yes' })}
      />
    </>
  )
}
