import { demoAuthors } from './members/authors.ts'
import { demoReviewers } from './members/reviewers.ts'
import { demoStaff } from './members/staff.ts'
import type { DemoMember } from './types.ts'

export const demoMembers: DemoMember[] = [...demoStaff, ...demoAuthors, ...demoReviewers]
