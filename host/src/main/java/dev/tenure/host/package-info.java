/// Process lifetime: phases, signals, readiness, activities, the shutdown report.
package dev.tenure.host;
