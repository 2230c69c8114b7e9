/** Bodies and answers of the project routes. */
import { z } from 'zod'
import { PageQuery, pageOf } from './fields.ts'

export const ENVIRONMENTS = ['production', 'staging', 'development'] as const

const name = z.string().min(1).max(100)
const environment = z.enum(ENVIRONMENTS)

export const CreateProject = z.strictObject({
  name,
  environment: environment.default('production'),
})
export type CreateProject = z.infer<typeof CreateProject>

export const UpdateProject = z.strictObject({ name, environment }).partial()
export type UpdateProject = z.infer<typeof UpdateProject>

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  environment,
  isDefault: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Project = z.infer<typeof Project>

export const ProjectPage = pageOf(Project)
export const ProjectListQuery = PageQuery
