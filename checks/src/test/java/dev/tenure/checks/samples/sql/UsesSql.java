package dev.tenure.checks.samples.sql;

import java.sql.Connection;

record UsesSql(Connection connection) {}
