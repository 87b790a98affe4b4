package io.muninn.report;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Reasons why a file cannot be read or written, as text. The text of many of the JDK's exceptions
 * is only the name of the file.
 */
public final class FileErrors {
    private FileErrors() {}

    /** Returns the reason, with the name of the file. */
    public static String reason(IOException cause) {
        if (!(cause instanceof FileSystemException about) || about.getReason() != null) {
            return String.valueOf(cause.getMessage());
        }
        String reason =
                switch (about) {
                    case NoSuchFileException _ -> "there is no file or folder ";
                    case AccessDeniedException _ -> "permission is denied for ";
                    case NotDirectoryException _ -> "this is no folder: ";
                    case DirectoryNotEmptyException _ -> "this folder is not empty: ";
                    case FileAlreadyExistsException _ -> "there is already a file ";
                    default -> about.getClass().getSimpleName() + " ";
                };
        return reason + about.getFile();
    }
}
