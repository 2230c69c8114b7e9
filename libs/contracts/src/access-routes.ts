/** The routes of API keys and projects. */
import { may } from './access.ts'
import * as apiKeys from './api-keys.ts'
import * as projects from './projects.ts'
import { API, entry } from './route.ts'

export const accessRoutes = {
  createApiKey: entry({
    method: 'POST',
    path: `${API}/api-keys`,
    service: 'portal-api',
    access: may('api-keys:write', { verifiedEmail: true }),
    summary: 'Create an API key; the key itself is shown this once',
    status: 201,
    body: apiKeys.CreateApiKey,
    answer: apiKeys.ApiKeyCreated,
    errors: ['INVALID_STATE'],
    example: { name: 'billing service', scopes: ['events:write'], rateLimit: 100 },
  }),
  listApiKeys: entry({
    method: 'GET',
    path: `${API}/api-keys`,
    service: 'portal-api',
    access: may('api-keys:read'),
    summary: 'List API keys, newest first',
    status: 200,
    query: apiKeys.ApiKeyListQuery,
    answer: apiKeys.ApiKeyPage,
  }),
  revokeApiKey: entry({
    method: 'DELETE',
    path: `${API}/api-keys/:id`,
    service: 'portal-api',
    access: may('api-keys:write'),
    summary: 'Revoke an API key; in force everywhere within 2 seconds',
    status: 204,
  }),
  createProject: entry({
    method: 'POST',
    path: `${API}/projects`,
    service: 'portal-api',
    access: may('projects:write'),
    summary: 'Create a project',
    status: 201,
    body: projects.CreateProject,
    answer: projects.Project,
    example: { name: 'Staging', environment: 'staging' },
  }),
  listProjects: entry({
    method: 'GET',
    path: `${API}/projects`,
    service: 'portal-api',
    access: may('projects:read'),
    summary: 'List projects, newest first',
    status: 200,
    query: projects.ProjectListQuery,
    answer: projects.ProjectPage,
  }),
  updateProject: entry({
    method: 'PATCH',
    path: `${API}/projects/:id`,
    service: 'portal-api',
    access: may('projects:write'),
    summary: 'Change a project',
    status: 200,
    body: projects.UpdateProject,
    answer: projects.Project,
    example: { name: 'Live' },
  }),
  deleteProject: entry({
    method: 'DELETE',
    path: `${API}/projects/:id`,
    service: 'portal-api',
    access: may('projects:write'),
    summary: 'Delete a project without endpoints; the default one stays',
    status: 204,
    errors: ['INVALID_STATE'],
  }),
}
