/// Scopes, owned handles, tasks, supervisors: who owns what, and how it ends.
package dev.tenure.core;
